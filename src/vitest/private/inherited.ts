import type { Plugin, ViteUserConfig } from 'vitest/config'
import { isUsersPlugin, testOf } from '../plugin/plugin-list.ts'
import type { Inherited } from '../plugin/project.ts'
import type { TestProject } from 'vitest/node'

// What Vitest does to a user's configuration before its plugins see it. Seen in Vitest 4.1.12 and 5.1.1.

/** The parts of the user's configuration that the project of the specs takes over. */
export interface Inheritance {
  /** Has to stand beside the `mdtest` plugin. */
  readonly plugin: Plugin
  from(user: ViteUserConfig, plugins: readonly Plugin[]): Inherited
}

export function createInheritance(): Inheritance {
  let define: ViteUserConfig['define']
  let resolve: ViteUserConfig['resolve']
  return {
    plugin: {
      name: 'mdtest:inheritance',
      config: {
        // Vitest takes the definitions out and forbids `resolve.noExternal` to keep a dependency.
        order: 'pre',
        handler(user) {
          define ??= user.define && { ...user.define }
          resolve ??= user.resolve && { ...user.resolve }
        },
      },
    },
    from: (user, plugins) => ({
      resolve,
      define,
      env: testOf(user).env,
      strictTags: testOf(user).strictTags,
      plugins: plugins.filter(isUsersPlugin).map(inheritedPlugin),
    }),
  }
}

/** Test options of a user's plugin are for the user's tests, and its reporter would run twice. */
function inheritedPlugin(plugin: Plugin): Plugin {
  const { config, configureVitest } = plugin
  return Object.create(plugin, {
    ...(configureVitest && { configureVitest: { value: whereAlone(plugin, configureVitest) } }),
    ...(config && { config: { value: keepingTestOptions(config) } }),
  })
}

type VitestHook = NonNullable<Plugin['configureVitest']>

/** Vitest calls the hook for specs where a filter leaves out the other projects. */
function whereAlone(plugin: Plugin, hook: VitestHook): VitestHook {
  return function (this: ThisParameterType<VitestHook>, context) {
    const others = context.vitest.projects.filter((project) => project !== context.project)
    // The plugin or a copy of it, see `sparePlugins`.
    const isIn = ({ vite }: TestProject): boolean =>
      vite.config.plugins.some((other) => other === plugin || Object.getPrototypeOf(other) === plugin)
    return others.some(isIn) ? undefined : hook.call(this, context)
  }
}

type ConfigHook = NonNullable<Plugin['config']>

function keepingTestOptions(hook: ConfigHook): ConfigHook {
  const handler = typeof hook === 'function' ? hook : hook.handler
  const keeping: typeof handler = async function (user, environment) {
    const own = testOf(user)
    // A hook may also change its argument.
    Object.assign(user, { test: { ...own } })
    const added = await handler.call(this, user, environment)
    Object.assign(user, { test: own })
    return added && Object.fromEntries(Object.entries(added).filter(([key]) => key !== 'test'))
  }
  return typeof hook === 'function' ? keeping : { ...hook, handler: keeping }
}
