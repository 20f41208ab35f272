import { browserTools } from './browser-tools.ts'
import type { Browser } from './open-browser.ts'

/**
 * A browser that is being opened: its calls wait for it. Meanwhile the model can be asked for the first time, which takes
 * as long. Where it does not open, the run is lost.
 */
export function openingBrowser(opening: Promise<Browser>): Browser {
  const lost = new AbortController()
  const ready = opening.then(
    ({ lost: later }) => {
      const lose = (): void => lost.abort(later.reason)
      if (later.aborted) lose()
      else later.addEventListener('abort', lose, { once: true })
    },
    (error: unknown) => lost.abort(error),
  )
  return {
    tools: browserTools,
    lost: lost.signal,
    ready,
    call: async (tool, input, options) => (await opening).call(tool, input, options),
    screenshot: async (name) => (await opening).screenshot(name),
    saveTraffic: async (name) => (await opening).saveTraffic(name),
    saveStorageState: async (file) => (await opening).saveStorageState(file),
    giveUp: (error) => lost.abort(error),
    close: () =>
      opening.then(
        (browser) => browser.close(),
        () => undefined,
      ),
  }
}
