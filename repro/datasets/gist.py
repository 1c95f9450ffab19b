"""GIST: the strength of each orientation and scale in each part of a scene."""

import numpy as np

ORIENTATIONS = 8
SCALES = 4
BLOCKS = 4
SIDE = 128
_BORDER = 32
_LOCAL_BORDER = 5
_LOWEST = 4  # cycles per image; below, brightness and contrast are normalised


def gist_features(images):
    """Compute GIST features of grey images: mean magnitudes of oriented filters on a grid.

    As in Oliva and Torralba (2001), with the settings of their public code (which also stretches
    each image to 0–255): images are reduced to 128 × 128 pixels, their local brightness and
    contrast normalised, and filtered by 32 Gabor filters (8 orientations at each of 4 scales);
    magnitudes are averaged over 4 × 4 blocks.

    The images, (n, h, w), are grey, 0–255, of any size. The features, (n, 512) float64, are ordered
    by scale from fine to coarse, then orientation, then block, row by row; computed in single
    precision, with the same bits whatever the number of threads.
    """
    images = np.asarray(images)
    if images.ndim != 3 or not images.size:
        raise ValueError(f"images must have shape (n, h, w), got {images.shape}")
    filters = gabor_filters(SIDE + 2 * _BORDER)
    return np.stack([_features(_reduced(image), filters) for image in images])


def gabor_filters(side):
    """Return transfer functions of the Gabor filters, (32, side, side), in `scipy.fft` order.

    Centre frequencies are 0.3 cycles per pixel, divided by 1.85 from scale to scale. The filters
    pass one half of the plane, so the filtered image is complex and its magnitude has no phase.
    """
    from scipy.fft import fftfreq

    fy, fx = np.meshgrid(fftfreq(side), fftfreq(side), indexing="ij")
    radius = np.hypot(fx, fy)
    angle = np.arctan2(fy, fx)
    filters = []
    for scale in range(SCALES):
        for orientation in range(ORIENTATIONS):
            turned = angle + np.pi * orientation / ORIENTATIONS
            turned = (turned + np.pi) % (2 * np.pi) - np.pi  # in ±π
            across = 3.5 * (radius * 1.85**scale / 0.3 - 1) ** 2
            along = 2 * np.pi * ORIENTATIONS**2 / 64 * turned**2
            filters.append(np.exp(-across - along))
    return np.array(filters, dtype=np.float32)


def _reduced(image):
    """Reduce an image to SIDE × SIDE pixels, float32."""
    from PIL import Image

    whole = Image.fromarray(np.asarray(image, dtype=np.float32))
    return np.asarray(whole.resize((SIDE, SIDE), Image.Resampling.BICUBIC, reducing_gap=None))


def _features(image, filters):
    from scipy.fft import fft2, ifft2

    spectrum = fft2(np.pad(_evened(image), _BORDER, mode="symmetric"))
    responses = ifft2(spectrum * filters, workers=-1, overwrite_x=True)
    inner = slice(_BORDER, _BORDER + SIDE)
    magnitudes = np.abs(responses[:, inner, inner])
    size = SIDE // BLOCKS
    blocks = magnitudes.reshape(len(filters), BLOCKS, size, BLOCKS, size).mean(axis=(2, 4))
    return blocks.ravel().astype(np.float64)


def _evened(image):
    """Subtract local brightness, and divide by local contrast."""
    from scipy.fft import fft2, fftfreq, ifft2

    side = SIDE + 2 * _LOCAL_BORDER
    f = fftfreq(side, 1 / side)
    width = _LOWEST / np.sqrt(np.log(2))
    low_pass = np.exp(-(f[:, None] ** 2 + f**2) / width**2).astype(np.float32)
    bright = np.log1p(np.maximum(np.pad(image, _LOCAL_BORDER, mode="symmetric"), 0))
    detail = bright - ifft2(fft2(bright) * low_pass).real
    contrast = np.sqrt(np.abs(ifft2(fft2(detail**2) * low_pass)))
    inner = slice(_LOCAL_BORDER, _LOCAL_BORDER + SIDE)
    return (detail / (0.2 + contrast))[inner, inner].astype(np.float32)
