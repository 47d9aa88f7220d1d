/** What other features use of this one. Nothing else of it is imported from outside. */
export { FlagsModule } from './flags.module';
export { MarkAsReadService } from './mark-as-read.service';
export { UpdateFlagsService } from './update-flags.service';
