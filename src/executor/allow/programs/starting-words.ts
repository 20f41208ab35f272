import type { Given } from '../line/words.ts'

/** Words of a program's own language by which it starts a command of the agent's, or keeps one for later. */
const starting: Readonly<Record<string, (words: readonly string[], options: readonly string[]) => string | undefined>> =
  {
    git: ([command = '', ...words], options) => {
      if (gitStarters.test(command)) return command
      if (/^(?:bisect run|submodule foreach)$/.test(`${command} ${words[0]}`)) return command
      if (command === 'clone' && options.some((option) => /^-[a-z]*u/.test(option))) return command
      if (command === 'config' && !isHarmlessSetting(words, options)) return command
      return [command, ...words].find((word) => word.startsWith('ext::'))
    },
    npm: ([command = '', ...words]) => {
      if (/^(?:explore|edit|set|set-script|link|ln)$/.test(command)) return command
      return /^(?:config|c|pkg)$/.test(command) && words[0] === 'set' ? command : undefined
    },
    pnpm: ([command = '', first]) => (/^(?:config|c)$/.test(command) && first === 'set' ? command : undefined),
    curl: (words) => words.find((word) => /^file:/i.test(word)),
    sqlite3: (words) =>
      words.find((word) =>
        /\.(?:sh|system|open|output|once|excel|import|load|read)|writefile|readfile|load_extension/i.test(word),
      ),
    psql: (words) => words.find((word) => word.includes('\\') || /\b(?:program|copy)\b/i.test(word)),
    java: (words) => words.find((word) => /^-XX:(?:On|Flags|VMOptionsFile)/.test(word)),
  }

/** Commands of git that start others, or make files out of what they are given: `git apply` of a patch. */
const gitStarters =
  /^(?:filter-branch|filter-repo|mergetool|difftool|daemon|instaweb|send-email|apply|am|fast-import|hook|maintenance|svn|p4|cvsserver|shell|web--browse|credential.*|remote-.*)$/

/** Others may hold commands, or lead to some. */
const harmlessSetting =
  /^(?:user\.(?:name|email)|init\.defaultbranch|(?:commit|tag)\.gpgsign|core\.(?:autocrlf|eol|filemode|ignorecase|quotepath|longpaths|symlinks|bare|precomposeunicode)|color\..*|advice\..*|push\.default|pull\.(?:rebase|ff)|merge\.(?:ff|conflictstyle)|safe\.directory|gc\.auto)$/i

/** `git config` without a value reads. */
function isHarmlessSetting(words: readonly string[], options: readonly string[]): boolean {
  if (words[0] === 'edit' || options.some((option) => /^(?:-e|--e.*)$/.test(option))) return false
  const [key = '', ...values] = /^(?:get|set|list|unset)$/.test(words[0] ?? '') ? words.slice(1) : words
  return values.length === 0 || harmlessSetting.test(key)
}

/** The word by which a program with these arguments starts other commands: a rule has to name it. */
export function startsByWord(program: string, args: readonly Given[]): string | undefined {
  const given = args.flatMap(({ value }) => (value === undefined ? [] : [value]))
  const isWord = (value: string): boolean => !value.startsWith('-') || value.startsWith('-X')
  const start = Object.hasOwn(starting, program) ? starting[program] : undefined
  return start?.(
    given.filter(isWord),
    given.filter((value) => !isWord(value)),
  )
}

/** Whether some words of a program start others. */
export function hasStartingWords(program: string): boolean {
  return Object.hasOwn(starting, program)
}
