/** A linkifier as the interface shows it. */
export interface LinkifierWire {
  readonly id: number;
  readonly pattern: string;
  readonly url_template: string;
  readonly example_input: string | null;
  readonly reverse_template: string | null;
  readonly alternative_url_templates: readonly string[];
}

interface LinkifierFields {
  readonly id: number;
  readonly pattern: string;
  readonly urlTemplate: string;
  readonly exampleInput: string | null;
  readonly reverseTemplate: string | null;
  readonly alternativeUrlTemplates: readonly string[];
}

/** The record of a linkifier. */
export function linkifierWire(linkifier: LinkifierFields): LinkifierWire {
  return {
    id: linkifier.id,
    pattern: linkifier.pattern,
    url_template: linkifier.urlTemplate,
    example_input: linkifier.exampleInput,
    reverse_template: linkifier.reverseTemplate,
    alternative_url_templates: linkifier.alternativeUrlTemplates,
  };
}

/** What a client that registers is told. */
export function linkifierState(linkifiers: readonly LinkifierWire[]): {
  realm_linkifiers: readonly LinkifierWire[];
} {
  return { realm_linkifiers: linkifiers };
}

/** Linkifiers as clients knew them before there were templates: none. */
export function olderFilterState(): { realm_filters: readonly never[] } {
  return { realm_filters: [] };
}
