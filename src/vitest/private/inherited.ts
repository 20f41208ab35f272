import type { Plugin, ViteUserConfig } from 'vitest/config'
import { inheritedPlugin } from './inherited-plugin.ts'
import { isUsersPlugin } from '../plugin/plugin-list.ts'
import type { Inherited } from '../plugin/project.ts'
import { testOf } from '../test-of.ts'

/** Reads from the user's configuration what the specs' project takes over. */
export interface Inheritance {
  /** Has to stand beside the plugin that reads. */
  readonly plugin: Plugin
  /** `resolve`, `define`, `env`, `strictTags` and the user's own plugins. */
  from(user: ViteUserConfig, plugins: readonly Plugin[]): Inherited
}

export function createInheritance(): Inheritance {
  let define: ViteUserConfig['define']
  let resolve: ViteUserConfig['resolve']
  return {
    plugin: {
      name: 'mdtest:inheritance',
      config: {
        // Copied before Vitest changes both: it takes the definitions out of the configuration and forbids, for its own
        // server, to leave any dependency as it is (`resolve.noExternal`).
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
