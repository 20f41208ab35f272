/** A part of a text keeps all of it in memory, as engines make it. This one does not. */
export function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}
