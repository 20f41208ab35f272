/** A call of a Playwright object's method, such as `page.goto('/')` or `locator.click()`. */
export interface PlaywrightCall {
  readonly target: object
  readonly name: string
  readonly args: readonly unknown[]
  make(args: readonly unknown[]): unknown
}

const targets = new WeakMap<object, object>()

/** Wraps a Playwright object and every object it returns. `onCall` makes each call and returns its result. */
export function watchCalls<T extends object>(target: T, onCall: (call: PlaywrightCall) => unknown): T {
  const watched = new Proxy(target, {
    get(_target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value === 'function' && typeof key === 'string' && key !== 'constructor') {
        const make = (args: readonly unknown[]): unknown => Reflect.apply(value, target, args)
        return (...args: readonly unknown[]) =>
          watchResult(onCall({ target, name: key, args: args.map(withTargets), make }), onCall)
      }
      return watchResult(value, onCall)
    },
  })
  targets.set(watched, target)
  return watched
}

function watchResult(value: unknown, onCall: (call: PlaywrightCall) => unknown): unknown {
  return isOfPlaywright(value) ? watchCalls(value, onCall) : value
}

function isOfPlaywright(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return !['Object', 'Array', 'Promise', 'Map', 'Set', 'Date', 'RegExp', 'Buffer'].includes(value.constructor.name)
}

/** Unwraps arguments, because Playwright accepts only its own objects. */
function withTargets(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Object.getPrototypeOf(value) !== Object.prototype) return targets.get(value) ?? value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTargets(one)]))
}
