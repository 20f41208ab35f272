import type { Redirection } from 'unbash'
import { realPathOf } from '../../system/files/ground.ts'
import { isHarmlessDevice, isInRoots, pathsOfValues, show, type Judged } from './judging.ts'
import { judgeWrite } from './judge-writes.ts'
import { judgeVariable } from './judge-shell.ts'
import { valuesOf } from './line/words.ts'

/** Whether files to and from which a command is redirected may be used so. `true`: it was refused. */
export function judgeRedirections(
  judged: Judged,
  redirections: readonly Redirection[],
  what = 'the redirection',
): boolean {
  return redirections.some((each) => {
    const { descriptor } = each
    if (descriptor?.type === 'FileDescriptorVariable' && judgeVariable(judged, descriptor.name, descriptor.name))
      return true
    return each.type === 'Redirect' && judgeRedirection(judged, each, what)
  })
}

function judgeRedirection(
  judged: Judged,
  { operator, target }: Extract<Redirection, { type: 'Redirect' }>,
  what: string,
): boolean {
  const { judging, scope, matching } = judged
  const { options, refuse } = judging
  const [part] = target?.parts ?? []
  // The command behind it is judged by itself.
  if (part?.type === 'ProcessSubstitution' && target?.parts?.length === 1) return false
  const isFile = !/^(?:>&|<&)$/.test(operator)
  const isStar =
    target?.parts?.some(({ type }) => type === 'Glob' || type === 'ExtendedGlob' || type === 'BraceExpansion') === true
  const values = target === undefined || isStar ? undefined : valuesOf(target, scope, true)
  const paths = pathsOfValues(values, scope)
  if (values === undefined || paths === undefined) {
    refuse(`Where ${show(target?.text ?? operator)} leads cannot be known: write the path out.`)
    return true
  }
  if (!isFile && values.every((value) => /^(?:\d+-?|-)$/.test(value))) return false
  const isOutput = operator.includes('>')
  return paths.some((path) => {
    if (isHarmlessDevice(path)) return false
    if (leadsIntoProcesses(path)) {
      refuse(`${show(path)} leads into other processes or to the network. Use a file.`)
      return true
    }
    if (isOutput) return judgeWrite(judged, path, { what, isNamed: judging.whole !== undefined })
    if (isInRoots(path, options) || matching.some(({ isForAll }) => isForAll)) return false
    refuse(`${show(path)} is outside of the folders of the scenario: ${options.roots.join(', ')}.`)
    return true
  })
}

/** Ways into other processes, to the network, and into the file system past links. */
export function leadsIntoProcesses(path: string): boolean {
  // Where these lead in mdtest's own process says nothing.
  if (isHarmlessDevice(path)) return false
  return isOfProcesses(path) || isOfProcesses(realPathOf(path))
}

function isOfProcesses(path: string): boolean {
  if (/^\/proc\/(?:cpuinfo|meminfo|loadavg|uptime|version|stat)$/.test(path)) return false
  return /^\/(?:proc|dev\/(?:fd|tcp|udp|mem|kmem|port|pts|tty\w*|ptmx))(?:\/|$)/.test(path)
}
