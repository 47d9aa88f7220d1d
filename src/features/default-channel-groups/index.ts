/** What other features use of this one. Nothing else of it is imported from outside. */
export { DefaultChannelGroupsModule } from './default-channel-groups.module';

/** The groups with their channels, and the event that tells somebody of them. */
export { DefaultChannelGroupsStateService } from './default-channel-groups-state.service';
export { defaultChannelGroupsReplaced } from './default-channel-groups.events';
