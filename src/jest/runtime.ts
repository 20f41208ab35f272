import { connect } from 'node:net'
import { relative } from 'node:path'
import { createBirpc, type BirpcReturn } from 'birpc'
import { channelOf } from '../host/protocol/channel.ts'
import { leftOutReasons } from '../plan/options/requirements.ts'
import { MdtestError } from '../system/mdtest-error.ts'
import { StepFailure, type FailureDetails } from '../plan/describe-failure.ts'
import { addressVariable, type JestPlan, type ServerAddress, type SpecFunctions } from './protocol.ts'
import { plainLine } from '../system/text/plain-text.ts'

/** Whether Jest prints colors. A worker can only guess this from its environment. */
function hasColors({ FORCE_COLOR: forced, NO_COLOR: refused }: NodeJS.ProcessEnv): boolean {
  return forced ? forced !== '0' : process.stdout.isTTY && !refused
}

interface JestTest {
  (title: string, body: () => unknown, timeoutMs: number): void
  readonly skip: JestTest
  readonly only: JestTest
  readonly todo: JestTest
}

/** The test file of a spec calls these functions. They run in Jest's module system. */
export interface JestRuntime {
  /** Returns `test`, or a substitute that skips all tests if the whole spec is skipped. */
  testOf(test: JestTest): JestTest
  step(scenario: number, ordinal: number): Promise<void>
  end(scenario: number): Promise<void>
  close(): Promise<void>
}

export function openSpec(plan: JestPlan): JestRuntime {
  const { file } = plan.spec
  const { [addressVariable]: address, ...env } = process.env
  let client: Client | undefined
  const ask = async (request: (client: Client) => Promise<FailureDetails | undefined>): Promise<void> => {
    client ??= connectServer(address)
    await (client.opened ??= client.server.open({ plan, env }))
    const failure = await request(client)
    if (failure) throw new StepFailure(file, failure, hasColors(env))
  }
  return {
    testOf(test) {
      const reasons = leftOutReasons(plan.spec, { ...plan, env })
      if (reasons.length === 0) return test
      // Jest does not show the reason, so print it. Do not use `console`, because Jest drops its output here.
      const why = reasons.map(({ message }) => message).join(' ')
      process.stderr.write(`skipped ${plainLine(`${relative(plan.root, file)}: ${why}`)}\n`)
      const { skip, todo } = test
      // Do not wrap `skip` in a function, because Jest would report every test at the line of the wrapper.
      return Object.assign(skip.bind(undefined), { skip, only: skip, todo })
    },
    step: (scenario, ordinal) => ask(({ server }) => server.step(scenario, ordinal)),
    async end(scenario) {
      if (client) await ask(({ server }) => server.end(scenario))
    },
    async close() {
      if (!client) return
      try {
        await ask(({ server }) => server.close())
      } finally {
        client.close()
      }
    },
  }
}

interface Client {
  readonly server: BirpcReturn<SpecFunctions, object>
  opened?: Promise<void>
  close(): void
}

function connectServer(address: string | undefined): Client {
  if (address === undefined) throw new MdtestError('OPTION_INVALID', noSetup)
  const { port, token } = JSON.parse(address) as ServerAddress // written by `startServer`
  const socket = connect(port, '127.0.0.1')
  const server = createBirpc<SpecFunctions, object>({}, { ...channelOf(socket), timeout: -1 })
  const close = (): void => server.$close(new MdtestError('HOST_ENDED', 'The mdtest process beside Jest is gone.'))
  socket.on('error', close).on('close', close)
  socket.unref()
  socket.write(`${token}\n`)
  return { server, close: () => socket.destroy() }
}

const noSetup =
  "Jest's configuration lacks `globalSetup: 'vitest-mdtest/jest/setup'`, which starts the process that runs specs. Use the configuration that `mdtest()` of `vitest-mdtest/jest` returns, or add this line and `globalTeardown: 'vitest-mdtest/jest/teardown'`."
