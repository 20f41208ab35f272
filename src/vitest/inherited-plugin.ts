import type { Plugin } from 'vitest/config'
import { testOf } from './test-of.ts'

/**
 * A plugin of the user as the specs' project has it: it resolves and transforms, and has no say in how tests run. What it does
 * to the test options is meant for the user's tests, and a reporter that it adds would be there twice.
 */
export function inheritedPlugin(plugin: Plugin): Plugin {
  const { config } = plugin
  return Object.create(plugin, {
    configureVitest: { value: undefined },
    ...(config && { config: { value: keepingTestOptions(config) } }),
  })
}

type ConfigHook = NonNullable<Plugin['config']>
type ConfigFunction = Extract<ConfigHook, Function>

function keepingTestOptions(hook: ConfigHook): ConfigHook {
  if (typeof hook !== 'function') return { ...hook, handler: keepingTestOptions(hook.handler) as ConfigFunction } // of a function comes one
  return async function (user, environment) {
    const own = testOf(user)
    // A hook may also change what it is given.
    Object.assign(user, { test: { ...own } })
    const added = await hook.call(this, user, environment)
    Object.assign(user, { test: own })
    return added && Object.fromEntries(Object.entries(added).filter(([key]) => key !== 'test'))
  }
}
