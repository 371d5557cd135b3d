// What a panel account is declared with.

export interface PanelAccountSpec {
  readonly package: string;
  readonly order: PanelOrder;
}

/** The licence to buy a panel account: used once, never compared. The domain is what it is recognised by (PNL-13). */
export interface PanelOrder {
  readonly term: string;
  readonly domain: string;
}
