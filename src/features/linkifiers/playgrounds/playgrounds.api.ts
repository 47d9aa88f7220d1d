import type { Playground } from '../linkifier.entity';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { defineEvent } from '../../../platform/events/server-event';
import { SEVERAL_FIELDS } from '../linkifier-checks';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** A playground to add. */
export type PlaygroundDraft = Readonly<Omit<Playground, 'id'>>;

/** A playground as sent to clients. */
export interface PlaygroundWire {
  readonly id: number;
  readonly name: string;
  readonly pygments_language: string;
  readonly url_template: string;
}

function playgroundWire({ id, name, language, urlTemplate }: Playground): PlaygroundWire {
  return { id, name, pygments_language: language, url_template: urlTemplate };
}

/** Initial state for clients, and payload of the event: all playgrounds. */
export function playgroundList(playgrounds: readonly Playground[]): {
  realm_playgrounds: readonly PlaygroundWire[];
} {
  return { realm_playgrounds: playgrounds.map(playgroundWire) };
}

const MAX_NAME_LENGTH = 200;
const MAX_LANGUAGE_LENGTH = 40;
const MAX_TEMPLATE_LENGTH = 1000;

/** Parameters of `POST /realm/playgrounds`. */
export class AddPlaygroundDto {
  /** Display name. */
  @Parameter(text({ trim: true, maxLength: MAX_NAME_LENGTH })) name!: string;
  /** Language of the code blocks. */
  @Parameter(text({ trim: true, maxLength: MAX_LANGUAGE_LENGTH })) pygments_language!: string;
  /** URL template (RFC 6570) with `{code}`. */
  @Parameter(text({ trim: true, maxLength: MAX_TEMPLATE_LENGTH })) url_template!: string;
}

/** Parameters of `DELETE /realm/playgrounds/{playground_id}`. */
export class RemovePlaygroundDto {
  /** ID of the playground. */
  @PathParameter() playground_id!: number;
}

/** The playground described by the parameters. */
export function toPlayground(dto: AddPlaygroundDto): PlaygroundDraft {
  return { name: dto.name, language: dto.pygments_language, urlTemplate: dto.url_template };
}

/** Playgrounds were added or removed; contains all of them. */
export const playgroundsChanged = defineEvent<{ realm_playgrounds: readonly PlaygroundWire[] }>(
  'realm_playgrounds',
);

/** The playground is invalid. The message is the first problem; `errors` lists all of them by field. */
export class InvalidPlayground extends ApiError {
  constructor(problems: Readonly<Record<string, readonly string[]>>) {
    super(Object.values(problems)[0]?.[0] ?? '', { data: { errors: problems } });
  }
}

/** The language contains invalid characters. */
export class InvalidPlaygroundLanguage extends refusal('Invalid characters in pygments language') {}

/** The playground to delete does not exist. */
export class PlaygroundNotFound extends refusal('Invalid playground') {}

/** Names are unique among the playgrounds of a language. */
export class PlaygroundExists extends InvalidPlayground {
  constructor() {
    const problem = 'Realm playground with this Realm, Pygments language and Name already exists.';
    super({ [SEVERAL_FIELDS]: [problem] });
  }
}

/** The limit on playgrounds is reached. */
export class TooManyPlaygrounds extends ApiError {
  constructor(limit: number) {
    super(`An organization can have at most ${limit} playgrounds.`);
  }
}
