/** Opens a spec for the module that the plugin generates of it. Not for use by hand: it changes without notice. */
export declare function openSpec(...args: readonly unknown[]): unknown
