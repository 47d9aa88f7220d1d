/** A fragment of JSON Schema, as the OpenAPI document wants it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** How the text of one parameter becomes a value. */
export interface WireType<T> {
  readonly jsonSchema: JsonSchema;
  /**
   * @param text the parameter as it was sent
   * @param at its name, with which every message starts
   * @throws ParameterProblem
   */
  decode(text: string, at: string): T;
}

/** The TypeScript type of what a wire type decodes to. */
export type Decoded<W> = W extends WireType<infer T> ? T : never;
