import { join } from 'node:path'
import { z } from 'zod'
import { createAcpAgent } from '../acp/acp-agent.ts'

/** OpenCode: `opencode acp`. Seen with 1.18.33. */
export const openCodeAgent = createAcpAgent({
  name: 'opencode',
  title: 'OpenCode',
  bin: 'opencode',
  args: () => ['acp'],
  install: 'npm install -g opencode-ai',
  ownFolders: ['.opencode'],
  ownVariables: ['OPENCODE', 'OPENCODE_PID', 'OPENCODE_SERVER_PASSWORD'],
  tellsCost: true,
  variables: ({ env, executor }) => ({
    // It outranks the settings of the person and of the project.
    OPENCODE_CONFIG_CONTENT: JSON.stringify(
      settings(env.OPENCODE_CONFIG_CONTENT, executor === undefined ? 'ask' : 'deny'),
    ),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
  }),
  // It listens on 127.0.0.1, and without one every user of the machine could read the session.
  passwords: ['OPENCODE_SERVER_PASSWORD'],
  ownPaths: ({ HOME: home = '', ...env }) => [
    join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'opencode'),
    join(env.XDG_DATA_HOME ?? join(home, '.local/share'), 'opencode'),
    join(env.XDG_STATE_HOME ?? join(home, '.local/state'), 'opencode'),
    join(env.XDG_CACHE_HOME ?? join(home, '.cache'), 'opencode'),
  ],
})

const fields = z.record(z.string(), z.unknown())
const known = z.looseObject({
  agent: fields.catch({}).default({}),
  experimental: fields.catch({}).default({}),
})

/** The settings that a variable held already, with those by which it asks us. */
function settings(given: string | undefined, decision: 'ask' | 'deny'): object {
  const own = known.parse(objectIn(given))
  const permission = {
    ...{ bash: decision, edit: decision, webfetch: decision },
    external_directory: 'ask',
    // It asks when a call is repeated; mdtest's limits are the user's.
    doom_loop: 'allow',
  }
  return {
    ...own,
    permission,
    // A project's settings for this agent would outrank those for all.
    agent: { ...own.agent, build: { ...fields.catch({}).parse(own.agent.build), permission } },
    default_agent: 'build',
    // Else a refused call ends the turn.
    experimental: { ...own.experimental, continue_loop_on_deny: true },
    autoupdate: false,
    share: 'disabled',
  }
}

function objectIn(json = '{}'): object {
  try {
    return fields.catch({}).parse(JSON.parse(json))
  } catch {
    return {} // OpenCode itself would not start with it.
  }
}
