/** The lines of a text, without an array of them all: an output may have millions. */
export function* linesOf(text: string): Generator<string, void> {
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    yield text.slice(start, end)
    start = end + 1
  }
  yield text.slice(start)
}
