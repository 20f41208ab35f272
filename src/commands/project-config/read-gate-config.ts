import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { mcpServersForm } from '../../spec/front-matter/servers-and-logins.ts'
import { errorCode, messageOf } from '../../system/error-facts.ts'
import { describeFileError } from '../../system/files/file-errors.ts'
import { MdtestError } from '../../system/mdtest-error.ts'
import { oneOf } from '../../system/text/wording.ts'
import { didYouMean } from '../../system/text/did-you-mean.ts'
import { withoutUndefined } from '../../system/without-undefined.ts'
import { gateConfigSchema, gateNames, keysOfGate, planningConfigSchema, resolveCommands } from './gate-config.ts'
import type { GateConfig } from './gate-config.ts'

const ownFile = 'mdtest.config.json'
const planningFile = '.planning/config.json'

const example = '{ "commands": { "compile": "npx tsc --noEmit", "lint": null, "test": "npm test" } }'

interface Place {
  readonly root: string
  readonly file?: string | undefined
}

/** `undefined` if no file names gates. @throws MdtestError `OPTION_CONFIG_INVALID`, `OPTION_CONFIG_MISSING` */
export async function findGateConfig({ root, file }: Place): Promise<GateConfig | undefined> {
  for (const path of file === undefined ? [join(root, ownFile), join(root, planningFile)] : [file]) {
    const text = await readConfigText(path)
    if (text === undefined) continue
    const json = parseJson(text, path)
    // Other tools own `.planning/config.json`, so it may have no gates.
    if (path === join(root, planningFile) && file === undefined && !hasPlanned(json)) continue
    return toGateConfig(json, path)
  }
  if (file !== undefined) throw missing(`There is no file ${file}.`)
  return undefined
}

export async function readGateConfig(place: Place): Promise<GateConfig> {
  const config = await findGateConfig(place)
  if (config !== undefined) {
    if (Object.keys(config.commands).length > 0) return config
    throw invalid(`${config.file}: \`commands\` names no gate, so nothing would be run.`)
  }
  throw missing(
    `\`mdtest gate\` needs a file \`${ownFile}\` in ${place.root} that names your checks (or \`project.commands\` in \`${planningFile}\`).`,
  )
}

function toGateConfig(json: unknown, file: string): GateConfig {
  const defaults = { file, allow: [], mayChange: [], protect: [], mcpServers: {} }
  if (hasPlanned(json)) {
    const { commands } = check(planningConfigSchema, json, file).project
    if (Object.keys(commands).length === 0 && Object.keys(json.project.commands).length > 0)
      throw invalid(`${file}: \`project.commands\` has none of ${gateNames.join(', ')}.`)
    return { ...defaults, commands: resolveCommands(commands) }
  }
  const { $schema: _schema, commands, tests, ...given } = check(gateConfigSchema, json, file)
  const resolved = resolveCommands(commands, tests === 'required')
  return { ...defaults, ...withoutUndefined<Partial<GateConfig>>(given), commands: resolved }
}

function hasPlanned(json: unknown): json is { readonly project: { readonly commands: object } } {
  const isOwn = typeof json === 'object' && json !== null && 'commands' in json
  return !isOwn && z.object({ project: z.object({ commands: z.looseObject({}) }) }).safeParse(json).success
}

function parseJson(text: string, file: string): unknown {
  const json = text.replace(/^\ufeff/, '')
  try {
    return JSON.parse(json)
  } catch (error: unknown) {
    const strange = /,(?=\s*[}\]])|\/[/*]|'|\b(?!(?:true|false|null)\b)[A-Za-z_$][\w$-]*/.exec(
      json.replace(/"(?:\\.|[^"\\\n])*"/g, (text) => '"'.repeat(text.length)),
    )
    const [sign = ''] = strange ?? []
    const rule = /[,/]/.test(sign) ? 'may not have' : 'needs double quotes around texts and names:'
    const why = sign === '' ? messageOf(error) : `JSON ${rule} \`${sign}\` here`
    const at = strange?.index ?? /at position (\d+)/.exec(why)?.[1]
    if (at === undefined) throw invalid(`${file} is not JSON. ${why}.`)
    const before = json.slice(0, Number(at)).split('\n')
    throw invalid(`${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}: ${why}.`)
  }
}

function check<Schema extends z.ZodType>(schema: Schema, json: unknown, file: string): z.infer<Schema> {
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const unknown = issues.filter(({ code }) => code === 'unrecognized_keys')
  // Show only unknown keys: a misspelt key would also be reported as a missing key.
  throw invalid(`${file}: ${(unknown.length > 0 ? unknown : issues).map(describeIssue).join(' ')}`)
}

function describeIssue({ path, ...issue }: z.core.$ZodIssue): string {
  const name = path.join('.')
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(name)
    const keys = issue.keys.map((key) => `\`${key}\``).join(', ')
    const gate = name === '' ? issue.keys.find((key) => gateNames.some((each) => each === key)) : undefined
    const hint =
      gate === undefined
        ? issue.keys.map((key) => didYouMean(key, known)).join('')
        : ` \`${gate}\` belongs into \`commands\`.`
    return `Unknown key ${keys}${name === '' ? '' : ` in \`${name}\``}.${hint} Known are ${known.join(', ')}.`
  }
  const values = issue.code === 'invalid_value' ? oneOf(issue.values, '"') : undefined
  const expected =
    name === 'mcpServers' ? mcpServersForm : (values ?? issue.message.replace('Invalid input: expected ', ''))
  return `Expected ${name === '' ? 'the file' : `\`${name}\``} to be ${expected}.`
}

function knownKeys(name: string): readonly string[] {
  if (name === '') return Object.keys(gateConfigSchema.shape)
  return name.endsWith('commands') ? gateNames : keysOfGate(name.endsWith('commands.test'))
}

function missing(message: string): MdtestError {
  return new MdtestError('OPTION_CONFIG_MISSING', message, { hint: `Write one: \`${example}\`.` })
}

function invalid(message: string): MdtestError {
  return new MdtestError('OPTION_CONFIG_INVALID', message, { hint: `For example: \`${example}\`.` })
}

async function readConfigText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error: unknown) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined
    const message = `${file} cannot be read (${describeFileError(error)}).`
    throw new MdtestError('OPTION_CONFIG_INVALID', message, { hint: 'Make it readable.', cause: error })
  }
}
