/** What other features use of this one. Nothing else of it is imported from outside. */
export type { AttachmentWire } from './attachments.wire';
export { UnlinkedUploadsService } from './unlinked-uploads.service';
export { storedPath } from './upload-path';
export { UploadsModule } from './uploads.module';
