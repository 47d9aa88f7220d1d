import { About, json, Parameter, PathParameter, text } from 'parley/module';

/** Parameters of `POST /modules/oncall`. */
export class SetUpRotationDto {
  @About('ID of the user group that is to follow. Who calls must be allowed to change its members.')
  @Parameter(json.integer({ min: 0 }))
  group_id!: number;

  @About('Name of the calendar file, such as "team.ics".')
  @Parameter(text({ trim: true, notBlank: true, maxLength: 100 }))
  calendar!: string;

  @About('ID of the channel in which to say who takes over; nowhere if omitted.')
  @Parameter(json.integer({ min: 0 }), { optional: true })
  channel_id?: number;

  @About('Topic for that.')
  @Parameter(text({ trim: true, notBlank: true, maxLength: 60 }), { default: 'on call' })
  topic!: string;
}

/** Parameters of `DELETE /modules/oncall/{id}`. */
export class GiveUpRotationDto {
  @About('ID of the rotation.')
  @PathParameter()
  id!: number;
}

/** Input of the command `look`, which takes none. */
export class LookInput {}
