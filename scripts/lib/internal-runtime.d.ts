/** Called by the module that the plugin generates for a spec. Internal: may change without notice. */
export declare function openSpec(...args: readonly unknown[]): unknown
