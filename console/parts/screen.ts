import type { ComponentType } from 'preact';

/** Properties of a page's component: the parts of the path named in its pattern. */
export interface ScreenProperties {
  readonly parameters: Readonly<Record<string, string>>;
}

/** A page: its URL and its component. */
export interface Screen {
  /** A pattern such as `/console/people/:id`. */
  readonly path: string;
  readonly show: ComponentType<ScreenProperties>;
  /** Label in the navigation of the administration, if it is listed there. */
  readonly label?: string;
  /** Limits who sees the page; the server enforces access to the data. */
  readonly only?: 'administrators' | 'owners';
}
