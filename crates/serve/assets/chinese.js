// The Chinese texts of the page, by their English ones.

export const CHINESE = {
};
