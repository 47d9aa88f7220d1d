import type { ApiDescription, CheckedAnswer } from '../shared/api-description';

/** Holds what one test file gets to the API description, but for what the tests make up. */
export class DescriptionCheck {
  private readonly tolerated: string[] = [];
  private readonly unheld: string[] = [];

  constructor(private readonly description: ApiDescription) {}

  /** Lets answers with a key be as they are, as the test makes up what is under it. */
  leave(key: string): void {
    this.unheld.push(key);
  }

  /** Lets answers have a key that the test made up. */
  tolerate(key: string): void {
    this.tolerated.push(key);
  }

  /**
   * Holds an answer to the description, if there is a route for the request.
   * @throws Error for a status that is not described, and for a body that is not as described
   */
  checkAnswer(verb: string, url: string, answer: CheckedAnswer): void {
    const described = this.description.find(verb, url, answer);
    const { body } = answer;
    if (!described || (isRecord(body) && this.unheld.some((key) => key in body))) return;
    this.description.checkBody(described, this.withoutTolerated(body));
  }

  /** The body without what the test made up: keys, and events of kinds that the server does not have. */
  private withoutTolerated(body: unknown): unknown {
    if (!isRecord(body)) return body;
    const known = Object.entries(body).filter(([key]) => !this.tolerated.includes(key));
    return Object.fromEntries(
      known.map(([key, value]) => [key, key === 'events' ? this.ownEvents(value) : value]),
    );
  }

  private ownEvents(events: unknown): unknown {
    return Array.isArray(events)
      ? events.filter(({ type }: { type: string }) => this.description.eventTypes.has(type))
      : events;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
