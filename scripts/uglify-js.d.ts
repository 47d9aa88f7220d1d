/** The part of uglify-js that the build of the console calls; the package has no types of its own. */
declare module 'uglify-js' {
  interface MinifyOptions {
    /** Whether the names at the top are nobody else's. */
    readonly module: boolean;
    readonly compress: { readonly passes: number; readonly inline: number; readonly comparisons: boolean };
    /** Which properties get short names. */
    readonly mangle: {
      readonly properties: { readonly regex: RegExp; readonly reserved: readonly string[] };
    };
    readonly output: { readonly ascii_only: boolean };
  }

  type MinifyOutput =
    { readonly code: string; readonly error: undefined } | { readonly code: string; readonly error: Error };

  export function minify(script: string, options: MinifyOptions): MinifyOutput;
}
