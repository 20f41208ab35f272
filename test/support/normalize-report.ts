import { withoutLists } from './without-lists.ts'

/** What differs from run to run and says nothing of the product: this and nothing else is replaced in a golden file. */
const replaced: readonly (readonly [what: string, pattern: RegExp, by: string])[] = [
  ['files that are there by now', /(?<=^guarded: )\d+(?= files$)/gm, '<count>'],
  ['version of Vitest in the first line', /\bRUN {2}v\d+\.\d+\.\d+/g, 'RUN  v<version>'],
  ['UTC time in the name of a log', /\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?:-\d+)?/g, '<time>'],
  ['instants', /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, '<time>'],
  ['time of day', /(?<=Start at {2})\d\d:\d\d:\d\d/g, '<time>'],
  ['parts of the duration', /(?<=^ +Duration {2}).*$/gm, '<duration>'],
  ['durations in text', /(?<![\w.])\d+(?:\.\d+)? ?m?s\b/g, '<duration>'],
  ['durations in JSON', /(?<="(?:durationMs|duration|startTime|endTime)": ?)\d+(?:\.\d+)?/g, '0'],
  ['durations and host in JUnit', /(?<=\b(?:time|hostname)=")[^"]*/g, '<varies>'],
  ['durations in TAP', /(?<=# time=)\S+/g, '<duration>'],
  ["Vitest's hint on isolation, given where it seems to be worth it", /\n +Isolate {2}.*(?:\n {10,}.*)*\n?/g, ''],
  [
    'what was written, in the order in which the disk was done',
    /^(?:JSON|JUNIT) report written to .*(?:\n|$)| HTML {2}Report is .*\n {7}You can .*(?:\n|$)/gm,
    '',
  ],
  ['run ids', /\b[0-9a-f]{32}\b/g, '<run>'],
]

/** The same text for each run of the same product on whatever machine. `root` is the folder of the project. */
export function normalizeReport(text: string, root: string): string {
  const rooted = withoutLists(text.replaceAll(root, '<root>'))
  return replaced.reduce((normal, [, pattern, by]) => normal.replaceAll(pattern, by), rooted)
}
