// What the platform remembers of a site beside its domains: PHP variants, cache layers, backup volumes.
// Tests change it directly ("behind the engine's back").
import type { Layer } from '../core/state.ts';

export interface PhpVariant {
  readonly id: number;
  readonly label: string;
  /** What new sites get; not what this one runs. */
  readonly isDefault: boolean;
}

export interface CacheLayer {
  on: boolean;
  purges: number;
}

interface Archive {
  readonly id: string;
  name: string;
  createdAt: number;
}

export interface Volume {
  readonly id: number;
  readonly label: string;
  sizeGb: number;
  usageGb: number;
  archives: Archive[];
  /** The archive that was restored last. */
  restoredFrom: string | null;
}

/** Ids differ from site to site: a label means another id on each. `serial` is the site's own number. */
export function phpVariants(serial: number): PhpVariant[] {
  return ['8.1', '8.2', '8.3'].map((label, index) => ({
    id: serial * 100 + index + 1,
    label,
    isDefault: label === '8.3',
  }));
}

export function cacheLayers(): Record<Layer, CacheLayer> {
  return { redis: { on: false, purges: 0 }, nginx: { on: false, purges: 0 }, cdn: { on: true, purges: 0 } };
}

export function volumes(serial: number): Volume[] {
  return ['content', 'database'].map((label, index) => ({
    id: serial * 10 + index + 1,
    label,
    sizeGb: 2.5 - index,
    usageGb: 1.25 - index / 2,
    archives: [],
    restoredFrom: null,
  }));
}
