import { escapeLine } from './escapes.ts'

const alike = new Map<string, readonly [likeness: string, name: string]>([
  ['\u00A0', [' ', 'a no-break space']],
  ['\u202F', [' ', 'a narrow no-break space']],
  ['\u3000', [' ', 'an ideographic space']],
  ['\u00AD', ['', 'a soft hyphen']],
  ['\u200B', ['', 'a zero-width space']],
  ['\u200C', ['', 'a zero-width non-joiner']],
  ['\u200D', ['', 'a zero-width joiner']],
  ['\uFEFF', ['', 'a byte order mark']],
  ['\r', ['', 'a carriage return']],
  ...twins('a curly quote', '\u2018\u2019\u201C\u201D', `''""`),
  ...twins('a dash', '\u2010\u2011\u2012\u2013\u2014\u2015\u2212', '-------'),
  ['\u2026', ['...', 'an ellipsis']],
  ...twins('a Cyrillic letter', 'АВЕЅІЈКМНОРСТУХаеѕіјорсух', 'ABESIJKMHOPCTYXaesijopcyx'),
  ...twins('a Greek letter', 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο', 'ABEZHIKMNOPTYXo'),
])

function twins(name: string, all: string, likenesses: string): [string, [string, string]][] {
  return Array.from(all, (letter, at) => [letter, [likenesses[at] ?? '', name]])
}

/** The visible form of a line: lines with the same form look alike. */
export function asSeen(line: string): string {
  return Array.from(line.normalize('NFC'), (character) => alike.get(character)?.[0] ?? character)
    .join('')
    .replace(/[\p{Zs}\t]+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trimEnd()
}

/** Marks blanks, tabs and look-alikes in the part of a line that differs from the other line. */
export function markUnseen(line: string, other: string): string {
  const [own, others] = [Array.from(line), Array.from(other)]
  const start = wholeWords(own, commonCount(own, others))
  const [ownEnd, othersEnd] = [own.slice(start).toReversed(), others.slice(start).toReversed()]
  const end = wholeWords(ownEnd, commonCount(ownEnd, othersEnd))
  const middle = own.slice(start, own.length - end).map(markCharacter)
  return [...own.slice(0, start), ...middle, ...own.slice(own.length - end)].join('')
}

function commonCount(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((character, index) => character !== b[index])
  return at === -1 ? a.length : at
}

/** Number of equal characters without trailing blanks, because the diff marks those blanks, too. */
function wholeWords(characters: readonly string[], count: number): number {
  return characters.slice(0, count).findLastIndex((character) => /\S/.test(character)) + 1
}

const [blankMark, tabMark] = ['·', '→']

function markCharacter(character: string): string {
  if (character === ' ') return blankMark
  if (character === '\t') return tabMark
  return /^[!-~]$/.test(character) ? character : writtenOut(character)
}

function writtenOut(character: string): string {
  const escaped = escapeLine(character)
  if (escaped !== character) return escaped
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
}

export function explainMarks(pairs: readonly (readonly [plain: string, marked: string])[]): string {
  const marks = new Map<string, string>()
  for (const [plain, marked] of pairs) {
    if (plain === marked) continue
    if (count(marked, blankMark) > count(plain, blankMark)) marks.set(blankMark, 'a space')
    if (count(marked, tabMark) > count(plain, tabMark)) marks.set(tabMark, 'a tab')
    for (const character of plain) {
      const written = writtenOut(character)
      if (/^[ -~\t]$/.test(character) || count(marked, written) <= count(plain, written)) continue
      marks.set(written, alike.get(character)?.[1] ?? 'a character that is not ASCII')
    }
  }
  const all = [...marks].slice(0, 8).map(([mark, name]) => `\`${mark}\` is ${name}`)
  return `These lines look alike, so what differs is shown: ${all.join(', ')}. Correct the line marked \`-\` in the spec, or what prints the other.`
}

function count(text: string, part: string): number {
  return text.split(part).length - 1
}
