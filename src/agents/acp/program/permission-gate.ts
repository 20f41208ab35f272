import { dirname, resolve } from 'node:path'
import { permit } from '../../../permissions/permit.ts'
import { realPathOf } from '../../../system/files/trusted-folder.ts'
import { matchGlob } from '../../../system/files/match-glob.ts'
import { isInside } from '../../../system/files/paths.ts'
import { webRule } from '../../agent-events.ts'
import { ownTools } from '../../report-access.ts'
import type { AcpTask } from '../acp-agent.ts'
import { commandOf, toolOf, type ToldCall } from './told-call.ts'

/** `rule`: the line in `allow` that would permit the refused call. */
export type Decision = { readonly ok: true } | { readonly ok: false; readonly what: string; readonly rule?: string }

interface GateOptions extends Pick<AcpTask, 'request'> {
  readonly environment: ReadonlySet<string>
  readonly servers: readonly string[]
}

export class PermissionGate {
  readonly #options: GateOptions
  readonly #roots: readonly string[]
  readonly #writable: readonly string[]
  readonly #written = new Set<string>()

  constructor(options: GateOptions) {
    const { cwd, root = cwd, specFile, includedFiles = [], logFile } = options.request
    this.#options = options
    this.#writable = [cwd, dirname(logFile)]
    this.#roots = [...this.#writable, root, specFile, ...includedFiles]
  }

  decide(call: ToldCall): Decision {
    const { servers, request } = this.#options
    const { dangerouslyAllowAllActions, executor, cwd } = request
    const tool = toolOf(call, servers)
    if (tool !== undefined) return this.#decideTool(tool)
    const command = commandOf(call)
    if (command !== undefined) return this.#decideCommand(command, call)
    const what = [call.names[0] ?? 'a tool', ...call.files].join(' ')
    const isEdit = ['edit', 'delete', 'move'].includes(call.kind ?? '')
    if (isEdit && executor !== undefined) return { ok: false, what }
    if (dangerouslyAllowAllActions) return this.#allow(isEdit ? call.files : [])
    if (call.kind === 'fetch') return this.#decideWeb(call, what)
    const files = call.files.map((file) => realPathOf(resolve(cwd, file)))
    const [missing] = files.filter((file) => !this.#isOpen(file, isEdit))
    if (files.length > 0 && missing === undefined) return this.#allow(isEdit ? files : [])
    const isOnFiles = isEdit || call.kind === 'read' || call.kind === 'search'
    return missing === undefined || !isOnFiles
      ? { ok: false, what }
      : { ok: false, what, rule: `${isEdit ? 'Edit' : 'Read'}(/${missing})` }
  }

  #decideTool(tool: string): Decision {
    const { mcpServers = {}, allow, dangerouslyAllowAllActions } = this.#options.request
    if (tool.startsWith(ownTools) || dangerouslyAllowAllActions) return { ok: true }
    // Tools of an attached server need no rule: the user attached the server on purpose.
    const isOffered = Object.keys(mcpServers).some((name) => tool.startsWith(`mcp__${name}__`))
    return isOffered || allow.includes(tool) ? { ok: true } : { ok: false, what: tool, rule: tool }
  }

  #decideCommand(command: string, { input }: ToldCall): Decision {
    const { environment, request } = this.#options
    const { allow, dangerouslyAllowAllActions, executor, cwd } = request
    if (executor !== undefined) return { ok: false, what: command }
    if (dangerouslyAllowAllActions) return { ok: true }
    const permission = permit(command, {
      allow,
      directories: [typeof input.cwd === 'string' ? resolve(cwd, input.cwd) : cwd],
      home: cwd,
      roots: this.#roots,
      isWritable: (file) => isIn(realPathOf(file), this.#writable),
      isOwn: (file) => this.#written.has(realPathOf(file)),
      environment,
    })
    if (permission.ok) return this.#allow(permission.written)
    const [rule] = permission.rules
    return { ok: false, what: command, ...(rule !== undefined && { rule }) }
  }

  #decideWeb({ input }: ToldCall, what: string): Decision {
    const url = typeof input.url === 'string' ? input.url : ''
    const rule = webRule(url)
    const isAllowed = ['WebFetch', rule].some((each) => this.#options.request.allow.includes(each))
    return isAllowed ? { ok: true } : { ok: false, what: url === '' ? what : url, rule }
  }

  #isOpen(file: string, isEdit: boolean): boolean {
    const tool = isEdit ? 'Edit' : 'Read'
    return isIn(file, isEdit ? this.#writable : this.#roots) || isInRules(file, this.#options.request.allow, tool)
  }

  #allow(written: readonly string[]): Decision {
    for (const file of written) this.#written.add(realPathOf(resolve(this.#options.request.cwd, file)))
    return { ok: true }
  }
}

function isIn(real: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isInside(real, realPathOf(folder)))
}

function isInRules(file: string, allow: readonly string[], tool: 'Read' | 'Edit'): boolean {
  const patterns = allow.flatMap((rule) => {
    if (rule === tool) return ['**']
    return rule.startsWith(`${tool}(//`) && rule.endsWith(')') ? [rule.slice(`${tool}(//`.length, -1)] : []
  })
  return patterns.some((pattern) => matchGlob(file.slice(1), pattern))
}
