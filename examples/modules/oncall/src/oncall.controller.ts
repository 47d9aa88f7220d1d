import {
  About,
  type Actor,
  Controller,
  CurrentActor,
  Delete,
  Get,
  HumansOnly,
  NoGuests,
  Parameters,
  Post,
} from 'parley/module';
import { GiveUpRotationDto, SetUpRotationDto } from './oncall.dto';
import type { RotationRecord } from './oncall.events';
import { OncallService } from './oncall.service';

/** Below /api/v1/modules/oncall. */
@Controller()
@NoGuests()
export class OncallController {
  constructor(private readonly oncall: OncallService) {}

  @About('Lists rotations with those who are on call.')
  @Get()
  async list(): Promise<{ rotations: RotationRecord[] }> {
    return { rotations: await this.oncall.list() };
  }

  @About('Has a user group follow a calendar.')
  @Post()
  @HumansOnly()
  async setUp(
    @CurrentActor() actor: Actor,
    @Parameters() input: SetUpRotationDto,
  ): Promise<{ rotation: RotationRecord }> {
    return { rotation: await this.oncall.setUp(actor, input) };
  }

  @About('Leaves a group to itself again.')
  @Delete(':id(\\d+)')
  async giveUp(@CurrentActor() actor: Actor, @Parameters() { id }: GiveUpRotationDto): Promise<void> {
    await this.oncall.giveUp(actor, id);
  }
}
