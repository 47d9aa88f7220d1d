/** What other features use of this one. Nothing else of it is imported from outside. */
export type { AttachmentWire } from './attachments.wire';
export { piecePaths } from './resumable/unfinished-rows.service';
export { UnlinkedUploadsService } from './unlinked-uploads.service';
export { thumbnailNames, thumbnailPath } from './thumbnail-files';
export { picturesSettled, type SettledPictures } from './uploads.hooks';
export { storedPath } from './upload-path';
export { UploadsModule } from './uploads.module';
