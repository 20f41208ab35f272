import type { Repeats } from './front-matter.ts'

/** Most runs of one scenario. */
export const maxRepeats = 100

/** As front matter, a directive or the options give it. */
interface GivenRepeats {
  readonly repeats?: number | undefined
  readonly require?: number | undefined
}

/** What two numbers, each from 1 to 100, say together. Without `require` a step has to pass all runs. */
export function repeatsOf({ repeats, require }: GivenRepeats): Repeats | undefined {
  return repeats === undefined ? undefined : { runs: repeats, required: require ?? repeats }
}

/** What is wrong with the two together, in words. */
export function describeBadRepeats({ repeats, require }: GivenRepeats): string | undefined {
  if (require === undefined || require <= (repeats ?? 0)) return undefined
  return repeats === undefined
    ? `\`require\` says how many of the \`repeats\` a step has to pass, and there are none. Write \`repeats\` beside it.`
    : `\`require\` must be at most \`repeats\` (${repeats}), got \`${require}\`.`
}
