export { type Brand, type BrandedMail, brandedMail, ownAddress, serviceOf } from './brand.ts';
export { type BrandChanges, Brands, noBrand, updateBrand } from './brands.ts';
export { checkBaseAddress, checkBrandName, checkColour, checkMailPart } from './fields.ts';
export { selectLogo } from './queries.ts';
