/** Endings, without the dot, of specs that are no markdown and have no front matter: a dialect reads their text. */
export const textEndings = ['feature'] as const

export const specEndings: readonly string[] = ['md', ...textEndings]

export const specsGlob = `**/*.{md,MD,Md,mD,${textEndings.join(',')}}`

const ending = String.raw`\.(?:${specEndings.join('|')})`
const endingPattern = new RegExp(`${ending}$`, 'i')
const wholeEndingPattern = new RegExp(String.raw`(?:\.test)?${ending}$`, 'i')
const linePattern = new RegExp(String.raw`^(.*${ending}):(\d+)$`, 'is')

export function hasSpecEnding(file: string): boolean {
  return endingPattern.test(file)
}

export function isTextSpec(file: string): boolean {
  return hasSpecEnding(file) && !/\.md$/i.test(file)
}

/** `X` of `X.md`, `X.test.md` and the like. */
export function withoutSpecEnding(file: string): string {
  return file.replace(wholeEndingPattern, '')
}

/** The spec and the line of `a.test.md:18`; `undefined` where there is no line. */
export function splitLine(path: string): { readonly name: string; readonly line: number } | undefined {
  const [, name, line] = linePattern.exec(path) ?? []
  return name === undefined ? undefined : { name, line: Number(line) }
}

/** Logins of browser specs: carried out once in a run; what they leave in the browser is what the specs begin with. */
export const loginsGlob = '**/AUTH_LOGIN{,.*}.md'

export function isLoginFile(name: string): boolean {
  return /^AUTH_LOGIN(?:\.[^.]+)?\.md$/.test(name)
}

/** @param user empty for the one without a name */
export function loginFileOf(user: string): string {
  return user === '' ? 'AUTH_LOGIN.md' : `AUTH_LOGIN.${user}.md`
}
