export { type Brand, ownAddress } from './brand.ts';
export { type BrandChanges, Brands, logoOf, updateBrand } from './brands.ts';
export { checkBaseAddress, checkBrandName, checkColour, checkMailPart } from './fields.ts';
export { type BrandedMail, brandedMail, serviceOf } from './mail.ts';
