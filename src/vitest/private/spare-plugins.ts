import type { Plugin } from 'vitest/config'
import { isUsersPlugin } from '../plugin/plugin-list.ts'

// When Vite and Vitest read the list of plugins. Seen in Vitest 4.1.12 and 5.1.1.

type IsSpared = (id: string) => boolean

/** A user's plugin for markdown pages would transform specs. Other servers share the plugins, so those are not changed. */
export function sparePlugins({ plugins }: { readonly plugins: readonly Plugin[] }, isSpared: IsSpared): void {
  const list = plugins as Plugin[] // Vite builds each environment from this very list, after it is resolved
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
