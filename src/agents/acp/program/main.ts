// The program between mdtest and the program of an ACP agent. It reads one line, its task, and prints events.
import { readOwnTask } from '../../own-events.ts'
import type { AcpTask } from '../acp-agent.ts'
import { carryOutTask } from './run-task.ts'

const own = await readOwnTask<AcpTask>(process)
const say = (text: string): void => void process.stderr.write(`${text}\n`)
if (own !== undefined) await carryOutTask(own.task, { ...own, env: process.env, say })
