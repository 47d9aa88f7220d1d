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
  /** Its line among those of the administration, if it has one, and whether only administrators see it. */
  readonly navigation?: { readonly label: string; readonly isForAdministrators: boolean };
}
