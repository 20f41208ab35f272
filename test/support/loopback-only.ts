import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'

/** Makes a network that has a loopback alone, and a file in the place of the one that names DNS servers. */
const enter = 'ip link set lo up && mount --bind "$1" "$(readlink -f /etc/resolv.conf)" && shift && exec "$@"'

/** Why no program can be run without a network here; `undefined` where it can. */
export const loopbackOnlyUnavailable = ((): string | undefined => {
  try {
    execFileSync('unshare', ['-n', '-m', 'sh', '-c', enter, 'sh', '/dev/null', 'true'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'only root on Linux can make a network of its own: unshare, ip, mount'
  }
})()

/** Runs a program in a network that has a loopback alone, where DNS is asked of 127.0.0.1. Gives its standard output. */
export async function runOnLoopback(argv: readonly string[], timeoutMs: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mdt-loopback-'))
  try {
    const conf = join(folder, 'resolv.conf')
    writeFileSync(conf, 'nameserver 127.0.0.1\n')
    const args = ['-n', '-m', '--', 'sh', '-c', enter, 'sh', conf, ...argv]
    return (await execa('unshare', args, { timeout: timeoutMs })).stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Answers each DNS query with "no such name", on the port of DNS. Names that were asked for are added to `names`. */
export async function listenForNames(names: string[]): Promise<Disposable> {
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    names.push(nameIn(message))
    const answer = Buffer.from(message)
    answer[2] = 0x81 // an answer
    answer[3] = 0x83 // no such name
    socket.send(answer, port, address)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(53, '127.0.0.1', resolve)
  })
  return { [Symbol.dispose]: () => socket.close() }
}

/** The name in the question, which stands behind 12 bytes: each label with its length before it. */
function nameIn(message: Buffer): string {
  const labels: string[] = []
  for (let at = 12, length = message[at] ?? 0; length > 0; at += length + 1, length = message[at] ?? 0)
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
  return labels.join('.')
}
