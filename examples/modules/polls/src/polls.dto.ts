import { About, json, Parameter, PathParameter, text } from 'parley/module';

/** One answer that people can choose. */
export interface OptionInput {
  readonly emoji: string;
  readonly text: string;
}

/** Parameters of `POST /modules/polls`. */
export class OpenPollDto {
  @About('ID of the channel to ask in.')
  @Parameter(json.integer({ min: 0 }))
  channel_id!: number;

  @About('Topic to ask in.')
  @Parameter(text({ trim: true, notBlank: true, maxLength: 60 }))
  topic!: string;

  @About('What is asked.')
  @Parameter(text({ trim: true, notBlank: true, maxLength: 500 }))
  question!: string;

  @About('2 to 20 answers, each with the name of an emoji and a text.')
  @Parameter(
    json.array(json.object({ emoji: json.text({ maxLength: 60 }), text: json.text({ maxLength: 200 }) }), {
      maxItems: 20,
    }),
    {
      example: [
        { emoji: 'pizza', text: 'Pizza' },
        { emoji: 'stew', text: 'Soup' },
      ],
    },
  )
  options!: OptionInput[];

  @About('For how long, in seconds.')
  @Parameter(json.integer({ min: 60 }), { default: 86_400 })
  seconds!: number;
}

/** Parameters of `POST /modules/polls/{id}/close`. */
export class ClosePollDto {
  @About('ID of the poll.')
  @PathParameter()
  id!: number;
}
