/** Something is wrong before anything ran; the message is one clear sentence for standard error. */
export class SetUpError extends Error {
  override readonly name = 'SetUpError'
}
