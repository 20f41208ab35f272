/** File endings (without the dot) of specs that are plain text instead of markdown; a dialect parses them. */
export const textEndings = ['feature'] as const

export const specEndings: readonly string[] = ['md', ...textEndings]

export const specsGlob = `**/*.{md,MD,Md,mD,${textEndings.join(',')}}`

export const defaultInclude: readonly string[] = ['**/*.test.md']

/** The default of `include` for `mdtest run --agent browser`. */
export const plainInclude: readonly string[] = [specsGlob]

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

/** Returns `X` for `X.md` and `X.test.md`. */
export function withoutSpecEnding(file: string): string {
  return file.replace(wholeEndingPattern, '')
}

/** Splits `a.test.md:18` into `a.test.md` and 18. Returns `undefined` if the path has no line. */
export function splitLine(path: string): { readonly name: string; readonly line: number } | undefined {
  const [, name, line] = linePattern.exec(path) ?? []
  return name === undefined ? undefined : { name, line: Number(line) }
}

/** Specs that sign in. Each runs once per test run. Browser specs start with the cookies and storage of a login. */
export const loginsGlob = '**/AUTH_LOGIN{,.*}.md'

export function isLoginFile(name: string): boolean {
  return /^AUTH_LOGIN(?:\.[^.]+)?\.md$/.test(name)
}

/** @param user empty for the unnamed user */
export function loginFileOf(user: string): string {
  return user === '' ? 'AUTH_LOGIN.md' : `AUTH_LOGIN.${user}.md`
}
