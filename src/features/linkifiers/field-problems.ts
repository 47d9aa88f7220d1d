/** The key of problems that concern several fields. */
export const SEVERAL_FIELDS = '__all__';

/** What is wrong with an object somebody sent: messages by field, in the order in which they were found. */
export class FieldProblems {
  private readonly messages = new Map<string, string[]>();

  add(field: string, message: string): void {
    this.messages.set(field, [...(this.messages.get(field) ?? []), message]);
  }

  /** The message that stands for all of them; undefined where nothing is wrong. */
  get first(): string | undefined {
    return this.messages.values().next().value?.[0];
  }

  byField(): Record<string, readonly string[]> {
    return Object.fromEntries(this.messages);
  }
}

/** Problems of fields, in the words that clients look for. */
export const BLANK = 'This field cannot be blank.';
export const INVALID_URL_TEMPLATE = 'Invalid URL template.';
