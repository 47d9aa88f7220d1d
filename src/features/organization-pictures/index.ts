/** What other features use of this one. Nothing else of it is imported from outside. */
export { OrganizationPicturesModule } from './organization-pictures.module';
export { OrganizationPicturesService } from './organization-pictures.service';

/** Which pictures there are, and where the file store keeps them. */
export { picturePath } from './organization-picture-files.service';
export { PICTURE_KINDS } from './organization-pictures.wire';
