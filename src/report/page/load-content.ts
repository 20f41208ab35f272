/** Waiting for content, by key. */
const waiting = new Map<string, (markup: string) => void>()

/** Has the script of a spec call the page: it cannot be fetched where the report is opened from disk. */
export function receiveContent(): void {
  Reflect.set(globalThis, 'mdtestShow', (key: string, markup: string) => waiting.get(key)?.(markup))
}

/** Loads what is in a script of the report, which names it by its key, into an element. */
export function loadContent(
  file: string,
  { key, into }: { readonly key: string; readonly into: HTMLElement },
): Promise<void> {
  return new Promise((resolve) => {
    const script = document.createElement('script')
    const finish = (show: () => void): void => {
      waiting.delete(key)
      script.remove()
      show()
      resolve()
    }
    waiting.set(key, (markup) =>
      finish(() => {
        // Escaped where it was rendered; the page's policy forbids scripts in it all the same.
        into.innerHTML = markup
      }),
    )
    script.addEventListener('error', () =>
      finish(() => {
        into.textContent = `The file ${file} of this report is missing.`
      }),
    )
    script.src = file
    document.head.append(script)
  })
}
