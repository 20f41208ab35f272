/** How an agent was kept from the product, where mdtest alone executed it. */
export interface UsedHands {
  /** What its process was in. */
  readonly sandbox: 'bubblewrap' | 'none'
  /** Why there was no sandbox, as the end of a sentence. */
  readonly why?: string
}
