import { Controller, Delete, Patch } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, HumansOnly, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { RemoveProfileDataDto, UpdateProfileDataDto } from './custom-profile.api';
import { ProfileDataService } from './profile-data.service';

/** The caller's own values of the organization's profile fields. */
@Controller('api/v1/users/me/profile_data')
@HumansOnly()
@NeedsScope('manage_people')
export class ProfileDataController {
  constructor(private readonly profileData: ProfileDataService) {}

  /** Fills in custom fields of the caller's profile. */
  @Patch()
  update(@CurrentActor() actor: Actor, @Parameters() dto: UpdateProfileDataDto): Promise<void> {
    const entries = dto.data.map(({ id, value }) => ({ fieldId: id, value }));
    return this.profileData.updateOwn(actor, entries);
  }

  /** Empties custom fields of the caller's profile. */
  @Delete()
  remove(@CurrentActor() actor: Actor, @Parameters() dto: RemoveProfileDataDto): Promise<void> {
    return this.profileData.updateOwn(
      actor,
      dto.data.map((fieldId) => ({ fieldId, value: null })),
    );
  }
}
