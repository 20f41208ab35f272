import { MdtestError } from '../system/mdtest-error.ts'

/** Rejects once the signal is aborted; never fulfilled. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void =>
      reject(new MdtestError('HOST_CANCELED', 'The run was canceled while the scenario waited for its turn.'))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}
