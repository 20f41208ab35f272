import type { Dialect, DialectDocument } from '../dialect.ts'
import type { FenceLanguage } from '../../blocks/fence.ts'
import { buildDocument } from './build-document.ts'
import { createCaseBlocks } from './create-case-blocks.ts'
import { basename } from 'node:path'
import { z } from 'zod'
import { createReader } from '../../front-matter/create-reader.ts'
import type { Mapping } from '../../front-matter/parse-mapping.ts'
import type { Report } from '../../rules/spec-rules.ts'
import type { FrontMatter } from '../../front-matter/front-matter.ts'
import { readCaseConfig, type CaseConfig } from './read-case-config.ts'

/** What the front matter of a document of scrut says beside the keys of every spec. */
interface DocumentConfig {
  readonly defaults: CaseConfig
  /** Files whose test cases come before and after, as written. */
  readonly prepend: readonly string[]
  readonly append: readonly string[]
}

const paths = { schema: z.array(z.string().min(1)), form: 'a list of paths of markdown files, relative to this one' }

/** Keys that only the front matter of a document of scrut has. */
const documentKeys = {
  defaults: {
    schema: z.record(z.string(), z.unknown()),
    form: 'a mapping, the configuration of each test case',
    purpose: 'With `dialect: scrut`, what test cases leave open.',
  },
  prepend: { ...paths, purpose: 'With `dialect: scrut`, files whose test cases come first.' },
  append: { ...paths, purpose: 'With `dialect: scrut`, files whose test cases come last.' },
} as const

/** Keys that have no counterpart: the values that change nothing, and what to do about all others. */
const unsupported: Readonly<Record<string, { readonly harmless: readonly unknown[]; readonly wayOut: string }>> = {
  shell: {
    harmless: ['bash', '/bin/bash'],
    wayOut:
      'Test cases run in the bash of `PATH`; what a shell of your own does first can be a test case in `prepend`.',
  },
  total_timeout: { harmless: [], wayOut: 'Each test case has a limit of its own: set `defaults: { timeout: … }`.' },
  language_markers: { harmless: [], wayOut: 'Call the fences `scrut`.' },
}

const unsupportedKeys = Object.keys(unsupported)

/** Checks what a document says to scrut. */
function readDocumentConfig(raw: Mapping, report: Report): DocumentConfig {
  for (const [name, { harmless, wayOut }] of Object.entries(unsupported)) {
    if (!raw.values.has(name) || harmless.includes(raw.values.get(name))) continue
    report('scrut-unsupported', raw.placeOf([name]), `\`${name}\` cannot be done here. ${wayOut}`)
  }
  const read = createReader(raw, 'scrut-config', report)
  const defaults = read('defaults', documentKeys.defaults) ?? {}
  const mapping: Mapping = {
    values: new Map(Object.entries(defaults)),
    placeOf: (path) => raw.placeOf(['defaults', ...path]),
  }
  return {
    defaults: readCaseConfig(mapping, report),
    prepend: read('prepend', documentKeys.prepend) ?? [],
    append: read('append', documentKeys.append) ?? [],
  }
}

/** The front matter with the surroundings that scrut gives its test cases. No agent is called. */
function asDocument(frontMatter: FrontMatter, { file, raw, report }: DialectDocument): FrontMatter {
  const { agent, include, cwd, env } = frontMatter
  if (agent !== undefined && agent !== 'none') {
    const message = `With \`dialect: scrut\` no agent is called, so \`agent: ${agent}\` would have no effect. Take one of them out.`
    report('front-matter-bad-value', raw.placeOf(['agent']), message)
  }
  if (include.length > 0) {
    const message = 'A document of scrut names the files that it includes by `prepend` and `append`. Use one of them.'
    report('front-matter-bad-value', raw.placeOf(['include']), message)
  }
  return {
    ...frontMatter,
    agent: 'none',
    cwd: raw.values.has('cwd') ? cwd : 'temp',
    env: { ...environment, TESTFILE: basename(file), ...env },
  }
}

/** Beside what every spec has: `TESTDIR`, `TMPDIR` and `COLUMNS`. */
const environment = {
  LANG: 'C',
  LANGUAGE: 'C',
  LC_ALL: 'C',
  TZ: 'GMT',
  CDPATH: '',
  GREP_OPTIONS: '',
  SHELL: '/bin/bash',
  TESTSHELL: '/bin/bash',
}

/** A test case of scrut in any spec, among other blocks. */
const language: FenceLanguage = {
  name: 'scrut',
  hasConfig: true,
  createBlocks(fence, comments, { report }) {
    const { blocks, config } = createCaseBlocks(fence, comments, { report })
    if (config.failFast === false) {
      const message =
        'Here a step that fails skips the steps after it. Take `fail_fast` away, or set `dialect: scrut` in the front matter.'
      report('scrut-unsupported', fence, message)
    }
    return blocks
  },
}

/** Documents of scrut: one scenario of test cases in fences of the language `scrut`. */
export const scrutDialect: Dialect<'scrut'> = {
  name: 'scrut',
  keys: documentKeys,
  unsupportedKeys,
  language,
  settle: asDocument,
  build({ raw, readFiles, ...parts }) {
    const { defaults, prepend, append } = readDocumentConfig(raw, parts.report)
    const prepended = readFiles(prepend, 'prepend')
    const appended = readFiles(append, 'append')
    return {
      includes: [...prepended, ...appended].map((one) => one.file),
      scenarios: buildDocument({ ...parts, defaults, prepended, appended }),
    }
  },
}
