import type { Plugin, ViteUserConfig } from 'vitest/config'
import { isUsersPlugin, testConfig } from '../plugin/plugin-list.ts'
import type { Inherited } from '../plugin/project.ts'
import type { TestProject } from 'vitest/node'

// Relies on how Vitest changes a user's configuration before plugins see it. Checked with Vitest 4.1.12 and 5.1.1.

/** The parts of the user's configuration that the specs' project takes over. */
export class Inheritance {
  #define: ViteUserConfig['define']
  #resolve: ViteUserConfig['resolve']

  /** Must be installed together with the `mdtest` plugin. */
  readonly plugin: Plugin = {
    name: 'mdtest:inheritance',
    config: {
      // Run this hook first, because Vitest later removes `define` and changes `resolve`.
      order: 'pre',
      handler: ({ define, resolve }) => {
        this.#define ??= define && { ...define }
        this.#resolve ??= resolve && { ...resolve }
      },
    },
  }

  from(user: ViteUserConfig, plugins: readonly Plugin[]): Inherited {
    const { env, strictTags } = testConfig(user)
    const own = plugins.filter(isUsersPlugin).map(inheritedPlugin)
    return { resolve: this.#resolve, define: this.#define, env, strictTags, plugins: own }
  }
}

/** Copies a user's plugin for the specs' project, without test options: these are for the user's tests. */
function inheritedPlugin(plugin: Plugin): Plugin {
  const { config, configureVitest } = plugin
  return Object.create(plugin, {
    ...(configureVitest && { configureVitest: { value: whereAlone(plugin, configureVitest) } }),
    ...(config && { config: { value: keepingTestOptions(config) } }),
  })
}

type VitestHook = NonNullable<Plugin['configureVitest']>

/** Calls the plugin's hook for the specs' project, but only if no other project runs the plugin. */
function whereAlone(plugin: Plugin, hook: VitestHook): VitestHook {
  return function (this: ThisParameterType<VitestHook>, context) {
    const others = context.vitest.projects.filter((project) => project !== context.project)
    // Compares prototypes, too, because `sparePlugins` copies plugins.
    const isIn = ({ vite }: TestProject): boolean =>
      vite.config.plugins.some((other) => other === plugin || Object.getPrototypeOf(other) === plugin)
    return others.some(isIn) ? undefined : hook.call(this, context)
  }
}

type ConfigHook = NonNullable<Plugin['config']>

function keepingTestOptions(hook: ConfigHook): ConfigHook {
  const handler = typeof hook === 'function' ? hook : hook.handler
  const keeping: typeof handler = async function (user, environment) {
    const own = testConfig(user)
    // A hook may also mutate its argument, so give it a copy of `test`.
    Object.assign(user, { test: { ...own } })
    const added = await handler.call(this, user, environment)
    Object.assign(user, { test: own })
    return added && Object.fromEntries(Object.entries(added).filter(([key]) => key !== 'test'))
  }
  return typeof hook === 'function' ? keeping : { ...hook, handler: keeping }
}
