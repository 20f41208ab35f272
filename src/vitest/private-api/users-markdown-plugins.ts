import type { Plugin } from 'vitest/config'
import { isUsersPlugin } from '../plugin/plugin-list.ts'

// Relies on when Vite and Vitest read the list of plugins. Checked with Vitest 4.1.12 and 5.1.1.

type IsSpared = (id: string) => boolean

/** Keeps a user's markdown plugins away from specs. Changes only copies, because other servers share the plugins. */
export function sparePlugins({ plugins }: { readonly plugins: readonly Plugin[] }, isSpared: IsSpared): void {
  const list = plugins as Plugin[] // Vite builds the environments from this array
  for (const [index, plugin] of list.entries()) {
    if (isUsersPlugin(plugin)) list[index] = sparing(plugin, isSpared)
  }
}

function sparing(plugin: Plugin, isSpared: IsSpared): Plugin {
  const { load, transform } = plugin
  if (!load && !transform) return plugin
  const hooks: PropertyDescriptorMap = {
    ...(load && { load: { value: sparingHook(load, ([id]) => isSpared(String(id))) } }),
    ...(transform && { transform: { value: sparingHook(transform, ([, id]) => isSpared(String(id))) } }),
  }
  return Object.create(plugin, hooks)
}

type IsSparedCall = (parameters: readonly unknown[]) => boolean

function sparingHook(hook: object, isSpared: IsSparedCall): object {
  if (typeof hook === 'function') return sparingFunction(hook, isSpared)
  const handler: unknown = Reflect.get(hook, 'handler')
  return typeof handler === 'function' ? { ...hook, handler: sparingFunction(handler, isSpared) } : hook
}

function sparingFunction(hook: Function, isSpared: IsSparedCall): Function {
  return new Proxy(hook, {
    apply: (target, self, parameters) => (isSpared(parameters) ? undefined : Reflect.apply(target, self, parameters)),
  })
}
