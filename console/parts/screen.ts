import type { ComponentType } from 'preact';

/** What the component of a page is given: the parts of the path that its pattern names. */
export interface ScreenProperties {
  readonly parameters: Readonly<Record<string, string>>;
}

/** A page: its address, and what shows it. */
export interface Screen {
  /** A pattern such as `/console/people/:id`. */
  readonly path: string;
  readonly show: ComponentType<ScreenProperties>;
  /** Its line among those of the administration, if it has one. */
  readonly label?: string;
  /** Those alone who may see it, if not everybody: the server refuses others what it would show. */
  readonly only?: 'administrators' | 'owners';
}
