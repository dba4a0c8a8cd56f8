export const offsetOf = ({ page, limit }: { page: number; limit: number }): number =>
  (page - 1) * limit
