import type { ToolOutput } from './tool-server.ts'

/**
 * What a browser tool printed, without the words of the model's own: nobody may quote them as what the page showed. They
 * are in the code that Playwright executed, and in what says that something was not found.
 */
export function quotableText({ text, isError }: Pick<ToolOutput, 'text' | 'isError'>, input: unknown): string {
  const withoutCode = text.replace(/### Ran Playwright code\n```js\n[\s\S]*?\n```\n?/g, '')
  if (!isError && !/^### Result\nNo matches found\b/.test(text)) return withoutCode
  return stringsIn(input).reduce((rest, own) => rest.replaceAll(own, '…'), withoutCode)
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value, JSON.stringify(value).slice(1, -1)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}
