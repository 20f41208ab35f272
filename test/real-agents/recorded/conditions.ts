import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { replayAll, type ReplayRequest, type SpecResult } from './replays.ts'

/** What is other than when recordings were made. */
export interface Condition {
  readonly name: string
  replay(place: ReplayRequest): Promise<ReadonlyMap<string, SpecResult>>
}

/** libfaketime of Debian's package `faketime`. */
const faketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

export const conditions: readonly Condition[] = [
  { name: 'the same', replay: replayAll },
  { name: 'in shuffled order', replay: (place) => replayAll({ ...place, args: ['--sequence.shuffle'] }) },
  { name: 'beside two busy loops', replay: replayBusily },
  { name: 'in another time zone', replay: (place) => replayWithNode(place, 'export TZ=Pacific/Auckland') },
  { name: 'in another directory', replay: (place) => inCopy(place, replayAll) },
  ...(process.getuid?.() === 0 ? [{ name: 'as another user', replay: replayAsNobody }] : []),
  ...(existsSync(faketime)
    ? [
        { name: 'in another month', replay: replayLater('+40d') },
        { name: 'at another time of the day', replay: replayLater('+1d +5h') },
      ]
    : []),
]

async function replayBusily(place: ReplayRequest): Promise<ReadonlyMap<string, SpecResult>> {
  const loops = [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
  try {
    return await replayAll(place)
  } finally {
    for (const loop of loops) loop.kill('SIGKILL')
  }
}

function replayLater(shift: string): Condition['replay'] {
  const setting = `export LD_PRELOAD=${faketime} FAKETIME='${shift}' FAKETIME_DONT_FAKE_MONOTONIC=1`
  return (place) => replayWithNode(place, setting)
}

/** The products start another `node`: nothing else of the environment reaches them. */
async function replayWithNode(place: ReplayRequest, setting: string): Promise<ReadonlyMap<string, SpecResult>> {
  const folder = await mkdtemp(join(tmpdir(), 'mdtest-node-'))
  const node = join(folder, 'node')
  await writeFile(node, `#!/bin/sh\n${setting}\nexec '${process.execPath}' "$@"\n`)
  await chmod(node, 0o755)
  try {
    return await replayAll({ ...place, env: { ...place.env, PATH: `${folder}:${place.env['PATH'] ?? ''}` } })
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function inCopy(place: ReplayRequest, replay: Condition['replay']): ReturnType<Condition['replay']> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'elsewhere-')))
  const dir = join(folder, 'deep/er')
  await cp(place.dir, dir, { recursive: true, verbatimSymlinks: true })
  try {
    return await replay({ ...place, dir })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** With a home and a folder for temporary files of its own. */
function replayAsNobody(given: ReplayRequest): ReturnType<Condition['replay']> {
  return inCopy(given, async (place) => {
    const folder = join(place.dir, '../..')
    const user = '54321'
    const env = { PATH: place.env['PATH'] ?? '', HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp') }
    await mkdir(env.HOME)
    await mkdir(env.TMPDIR)
    await execa('chown', ['-R', '-P', `${user}:${user}`, folder])
    const starter = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups']
    return replayAll({ ...place, env, starter })
  })
}
